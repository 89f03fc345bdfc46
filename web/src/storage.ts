// What the browser keeps: texts until they are saved, and settings. A browser without storage loses only this.

function local(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

export function read<T>(key: string, otherwise: T, from: Storage | null = local()): T {
  try {
    const text = from!.getItem(`alphorn.${key}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function write(key: string, value: unknown, to: Storage | null = local()): void {
  try {
    to!.setItem(`alphorn.${key}`, JSON.stringify(value));
  } catch {
    // The storage is full or forbidden; the text still stands in the editor.
  }
}

export function remove(key: string): void {
  try {
    localStorage.removeItem(`alphorn.${key}`);
  } catch {
    // As in `write`.
  }
}
