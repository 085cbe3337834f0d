/** Renders a chapter of the tutorial as an entry of the documentation. */
import type { Block, Entry } from '../entry.ts'
import { codeBlock, example, heading, list, paragraph, prosePage } from '../page.ts'
import type { Action, Chapter, Part, Step } from './step.ts'

/** Builds the page of a chapter. */
export function chapterEntry({ file, name, summary, words, steps }: Chapter): Entry {
  return prosePage('tutorial', file, { name, summary, words, blocks: steps.flatMap(stepBlocks) })
}

function stepBlocks({ title, words, parts }: Step): readonly Block[] {
  return [heading(title, words), ...parts.flatMap(partBlocks)]
}

function partBlocks(part: Part): readonly Block[] {
  switch (part.kind) {
    case 'says':
      return [paragraph(part.text)]
    case 'run':
      return [codeBlock(...part.lines), ...printed(part.prints)]
    case 'write':
      return [example({ [part.path]: part.text })]
    case 'change':
      return [changeBlock(part.path, part.from, part.to)]
    case 'mistake':
      return [changeBlock(part.path, part.from, part.to), codeBlock('npx ingot check', '', ...part.prints.split('\n'))]
    case 'visit':
      return [list(...visitItems(part))]
    case 'mail':
      return [list(...mailItems(part))]
  }
}

function printed(lines: readonly string[]): readonly Block[] {
  return lines.length === 0 ? [] : [paragraph(`It prints ${lines.map(code).join(', ')}.`)]
}

function changeBlock(path: string, from: string, to: string): Block {
  return example({ [`${path}: replace`]: from, [`${path}: with`]: to })
}

function code(text: string): string {
  return `\`${text}\``
}

function visitItems({ who, actions, shows, hides, status }: Part & { kind: 'visit' }): readonly string[] {
  const does = actions.map((action, at) => `${at === 0 ? `${who}: ` : ''}${actionText(action)}`)
  const sees = [
    ...(status === 404 ? ['The page is not found.'] : []),
    ...(shows.length > 0 ? [`The page shows ${shows.map(code).join(', ')}.`] : []),
    ...(hides.length > 0 ? [`It does not show ${hides.map(code).join(', ')}.`] : []),
  ]
  return [...does, ...sees]
}

function actionText(action: Action): string {
  switch (action.kind) {
    case 'open':
      return `open ${code(action.path)}.`
    case 'enter':
      return `${action.label}: ${code(action.value)}`
    case 'date':
      return `${action.label}: ${action.time}, ${action.days} days from today`
    case 'choose':
      return `${action.label}: choose ${code(action.option)}`
    case 'photo':
      return `${action.label}: choose your photo`
    case 'press':
      return `Press “${action.button}”.`
    case 'follow':
      return `Follow the link “${action.link}”.`
  }
}

function mailItems({ to, subject, link, who, shows }: Part & { kind: 'mail' }): readonly string[] {
  return [
    `Open ${code('/_ingot/outbox')}: there is a mail to ${code(to)} with the subject ${code(subject)}.`,
    ...(link === null
      ? []
      : [`${who}: open the mail and follow its link “${link}”. The page shows ${shows.map(code).join(', ')}.`]),
  ]
}
