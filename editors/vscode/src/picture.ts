// The page that shows a picture of a search tree. This file does not depend on VS Code.

/** Escapes a text for HTML. */
export function escaped(text: string): string {
  const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (sign) => signs[sign] ?? sign);
}

/** Whether a text is an SVG document. */
export function isPicture(text: string): boolean {
  return /^\s*(?:<\?xml[^>]*\?>\s*)?<svg[\s>]/.test(text);
}

/**
 * A page with a picture. The picture is an image, in which no script runs; the policy of the page forbids
 * everything else.
 */
export function page(title: string, svg: string): string {
  const source = `data:image/svg+xml;base64,${Buffer.from(svg, "utf8").toString("base64")}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline';">
<title>${escaped(title)}</title>
<style>
body { margin: 0; padding: 12px; }
img { display: block; }
#fit:checked ~ img { max-width: 100%; height: auto; }
label { font-family: var(--vscode-font-family); color: var(--vscode-foreground); }
</style>
</head>
<body>
<input type="checkbox" id="fit" checked> <label for="fit">fit the width</label>
<img src="${source}" alt="${escaped(title)}">
</body>
</html>
`;
}
