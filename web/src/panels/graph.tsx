// The value over the game, with marks where a move lost value. A click goes to the position.

import * as analysis from "../analysis";
import { jump } from "../game";
import * as s from "../state";
import { long, share, short } from "../values";

const WIDTH = 600;
const HEIGHT = 130;

export function Graph() {
  const points = analysis.graph.value;
  const known = points.filter((point) => point.value !== null);
  if (known.length === 0) return null;
  const last = Math.max(1, points.length - 1);
  const x = (ply: number) => 8 + (ply / last) * (WIDTH - 16);
  const y = (value: number) => HEIGHT / 2 - share(value, analysis.scale.value) * (HEIGHT / 2 - 10);
  const path = known.map((point, i) => `${i === 0 ? "M" : "L"}${x(point.ply).toFixed(1)} ${y(point.value!.value).toFixed(1)}`).join("");
  const area = `${path}L${x(known.at(-1)!.ply).toFixed(1)} ${HEIGHT / 2}L${x(known[0].ply).toFixed(1)} ${HEIGHT / 2}Z`;
  const summary = known.map((point) => `after ${point.ply} moves ${short(point.value!.value)}`).join(", ");
  return (
    <figure class="graph">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Value over the game: ${summary}`}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          jump(Math.round(((((event.clientX - box.left) / box.width) * WIDTH - 8) / (WIDTH - 16)) * last));
        }}
      >
        <path class="area" d={area} />
        <line class="zero" x1="0" y1={HEIGHT / 2} x2={WIDTH} y2={HEIGHT / 2} />
        <line class="now" x1={x(s.at.value)} y1="0" x2={x(s.at.value)} y2={HEIGHT} />
        <path class="curve" d={path} />
        {known.map((point) => (
          <circle class={`point ${point.mark ? "marked" : ""}`} cx={x(point.ply)} cy={y(point.value!.value)} r={point.mark ? 4.5 : 2.6}>
            <title>{`${point.ply === 0 ? "start" : `${point.ply}. ${s.line.value[point.ply - 1]?.label ?? ""}`}: ${long(point.value!.value, point.value!.exact)}`}</title>
          </circle>
        ))}
        {known.map((point) =>
          point.mark ? (
            <text class="mark" x={x(point.ply)} y={y(point.value!.value) < 24 ? y(point.value!.value) + 20 : y(point.value!.value) - 8} text-anchor={x(point.ply) > WIDTH - 16 ? "end" : x(point.ply) < 16 ? "start" : "middle"}>
              {point.mark}
            </text>
          ) : null,
        )}
      </svg>
      <figcaption>
        Value over the game; up is good for MAX. <b>??</b> changed a proved result, <b>?</b> lost much more than usual, <b>?!</b> more than usual.
      </figcaption>
    </figure>
  );
}
