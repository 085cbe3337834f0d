/**
 * What a worker says after the supervisor has closed the connection between them, which it does to give up the socket of visitors
 * when everything stops: the worker still answers then, and has measured and traced that. It writes the same messages, as lines,
 * into a pipe that stays open until it ends.
 */
import { createWriteStream, type WriteStream } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { createInterface } from 'node:readline'
import { isToSupervisor, type ToSupervisor } from './messages.ts'

/** The pipe of a worker: behind its input, its outputs and the connection. */
const PIPE = 4

/** How a worker is started. */
export const WORKER_STDIO: readonly ('inherit' | 'ipc' | 'pipe')[] = ['inherit', 'inherit', 'inherit', 'ipc', 'pipe']

let pipe: WriteStream | null = null

/** In a worker. @param taken called when the message is in the pipe, or nobody reads it any more */
export function sayLast(message: ToSupervisor, taken: () => void): void {
  if (pipe === null) {
    pipe = createWriteStream('', { fd: PIPE, autoClose: false })
    // The supervisor is gone.
    pipe.on('error', () => undefined)
  }
  if (pipe.destroyed) taken()
  else pipe.write(`${JSON.stringify(message)}\n`, () => taken())
}

/**
 * In the supervisor: reads what a worker says last.
 * @param stdio of the worker's process
 * @returns resolves when it has said all
 */
export function hearLast(
  stdio: readonly (Readable | Writable | null | undefined)[],
  receive: (message: ToSupervisor) => void,
): Promise<void> {
  const from = stdio[PIPE]
  if (from === null || from === undefined || !('read' in from)) return Promise.resolve()
  const lines = createInterface({ input: from })
  lines.on('line', (line) => {
    const message = messageIn(line)
    if (message !== null) receive(message)
  })
  // A worker that is killed breaks it off, and its lines pass on what was wrong with the pipe.
  for (const each of [from, lines]) each.on('error', () => undefined)
  return new Promise((done) => from.once('close', () => done()))
}

/** Null for a line that was broken off. */
function messageIn(line: string): ToSupervisor | null {
  try {
    const message: unknown = JSON.parse(line)
    return isToSupervisor(message) ? message : null
  } catch {
    return null
  }
}
