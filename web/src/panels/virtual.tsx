// A list of many rows of one height, of which only the visible ones exist in the page.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

interface Props {
  count: number;
  height: number;
  /** The row that must be visible when it changes. */
  current: number;
  label: string;
  role?: "tree" | "listbox";
  active?: string;
  row: (index: number) => ComponentChildren;
  onRange?: (from: number, to: number) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

export function VirtualList({ count, height, current, label, role = "tree", active, row, onRange, onKeyDown }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const view = useSignal(400);
  useLayoutEffect(() => {
    const measure = new ResizeObserver(() => (view.value = box.current?.clientHeight ?? 400));
    measure.observe(box.current!);
    return () => measure.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || current < 0) return;
    const y = current * height;
    if (y < element.scrollTop) element.scrollTop = y;
    else if (y + height > element.scrollTop + element.clientHeight) element.scrollTop = y + height - element.clientHeight;
  }, [current, count]);
  const from = Math.max(0, Math.floor(top.value / height) - 6);
  const to = Math.min(count, Math.ceil((top.value + view.value) / height) + 6);
  useEffect(() => onRange?.(from, to), [from, to, count]);
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  return (
    <div class="virtual" ref={box} tabIndex={0} role={role} aria-label={label} aria-activedescendant={current >= from && current < to ? active : undefined} onScroll={(event) => (top.value = event.currentTarget.scrollTop)} onKeyDown={onKeyDown}>
      <div class="space" role="presentation" style={{ height: `${count * height}px` }}>
        {indexes.map((index) => (
          <div key={index} class="slot" role="presentation" style={{ transform: `translateY(${index * height}px)`, height: `${height}px` }}>
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
