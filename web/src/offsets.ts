// Positions in a text: Alphorn counts bytes of UTF-8, the browser counts units of UTF-16.

/** Converts offsets in bytes to offsets in UTF-16 units. Ascending questions take linear time in all. */
export class ByteOffsets {
  private readonly plain: boolean;
  private units = 0;
  private bytes = 0;

  constructor(private readonly text: string) {
    this.plain = /^[\x00-\x7f]*$/.test(text);
  }

  unit(byte: number): number {
    if (this.plain) return Math.min(byte, this.text.length);
    if (byte < this.bytes) this.units = this.bytes = 0;
    while (this.bytes < byte && this.units < this.text.length) {
      const code = this.text.codePointAt(this.units)!;
      this.bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      this.units += code < 0x10000 ? 1 : 2;
    }
    return this.units;
  }
}

/** The offset in bytes of a UTF-16 offset. */
export function byteOf(text: string, unit: number): number {
  return new TextEncoder().encode(text.slice(0, unit)).length;
}
