// One WebSocket to the server: requests go out with a number, and the answer with that number comes back.

import { ConnectionLost, RequestError, type Problem, type Reply } from "./protocol";

type Waiting = {
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
  onEvent?: (event: Reply) => void;
};

/** The token of the page's address. It stays for reloads, because the server gives the address only once. */
export function token(): string {
  const given = new URLSearchParams(location.search).get("token");
  if (given !== null) {
    sessionStorage.setItem("alphorn-token", given);
    return given;
  }
  return sessionStorage.getItem("alphorn-token") ?? "";
}

export class Connection {
  private socket: WebSocket | null = null;
  private opening: Promise<WebSocket> | null = null;
  private waiting = new Map<number, Waiting>();
  private last = 0;
  /** Called for events that answer no request. */
  onPush: (event: Reply) => void = () => {};
  onClose: () => void = () => {};
  /** Grows with each new socket: what was loaded in an earlier socket is gone. */
  generation = 0;

  private open(): Promise<WebSocket> {
    if (this.socket) return Promise.resolve(this.socket);
    this.opening ??= new Promise<WebSocket>((resolve, reject) => {
      const scheme = location.protocol === "https:" ? "wss:" : "ws:";
      const socket = new WebSocket(`${scheme}//${location.host}/ws?token=${encodeURIComponent(token())}`);
      socket.onopen = () => {
        this.socket = socket;
        this.opening = null;
        this.generation += 1;
        resolve(socket);
      };
      socket.onmessage = (message) => this.receive(String(message.data));
      socket.onclose = () => {
        this.socket = null;
        this.opening = null;
        reject(new ConnectionLost());
        for (const waiting of this.waiting.values()) waiting.reject(new ConnectionLost());
        this.waiting.clear();
        this.onClose();
      };
    });
    return this.opening;
  }

  private receive(text: string): void {
    const reply = JSON.parse(text) as Reply;
    const waiting = typeof reply.id === "number" ? this.waiting.get(reply.id) : undefined;
    if (!waiting) {
      if (reply.event) this.onPush(reply);
      return;
    }
    if (reply.event !== undefined && reply.reply === undefined) {
      waiting.onEvent?.(reply);
      return;
    }
    this.waiting.delete(reply.id as number);
    if (reply.reply === undefined && reply.error !== undefined) {
      const problem = reply.error as Problem;
      waiting.reject(new RequestError(problem, (reply.problems as Problem[] | undefined) ?? [problem]));
    } else waiting.resolve(reply);
  }

  /** Sends a request; `onEvent` gets the events that come before the answer. */
  request<T = Reply>(request: object, onEvent?: (event: Reply) => void): Promise<T> & { id: number } {
    const id = ++this.last;
    const send = (socket: WebSocket) =>
      new Promise<Reply>((resolve, reject) => {
        this.waiting.set(id, { resolve, reject, onEvent });
        socket.send(JSON.stringify({ id, ...request }));
      });
    // An open socket sends at once, not after the work of the page that is under way.
    const answer = this.socket ? send(this.socket) : this.open().then(send);
    return Object.assign(answer as Promise<unknown> as Promise<T>, { id });
  }

  cancel(id: number): void {
    if (this.waiting.has(id)) this.request({ request: "cancel", cancel: id }).catch(() => {});
  }

  close(): void {
    this.socket?.close();
  }
}
