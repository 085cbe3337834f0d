/** The block that a server in development prints when it answers: where to find its pages, mails, data and documentation. */
import { relative } from 'node:path'
import { shellWord } from '../../runtime/data/shell-word.ts'
import { type Colors, outputColors } from '../core/services/colors.ts'
import { OUTBOX } from '../tools/dev/outbox.ts'
import { STUDIO } from '../web/http/plain-reply.ts'

/** A label, and what it stands for. */
export type Place = readonly [label: string, text: string]

/**
 * Formats the block, with a blank line before and after it.
 * @internal Exported for tests.
 */
export function formatPlaces(places: readonly Place[], colors: Colors): string {
  const width = Math.max(...places.map(([label]) => label.length))
  const lines = places.map(([label, text]) => `  ${colors.dim(label.padEnd(width))}  ${text}`)
  return `\n${lines.join('\n')}\n\n`
}

/**
 * Prints the block.
 * @param url address of the server
 * @param dir folder of the site
 * @param others places after the address: how to log in, GraphiQL
 */
export function printPlaces(url: string, dir: string, others: readonly Place[] = []): void {
  // A folder that is far away is shorter as it was given.
  const near = relative(process.cwd(), dir)
  const folder = near.startsWith('..') ? dir : near
  const places: readonly Place[] = [
    ['Open', url],
    ['Studio', `${url}${STUDIO}  (data, users, requests, jobs, mails, logs)`],
    ...others,
    ['Outbox', `${url}${OUTBOX}  (mails are kept there, and not sent)`],
    ['Console', `npx ingot console${folder === '' ? '' : ` ${shellWord(folder)}`}  (runs GraphQL and Liquid)`],
    ['Docs', 'npx ingot docs'],
    ['Stop', 'Ctrl-C'],
  ]
  process.stdout.write(formatPlaces(places, outputColors))
}
