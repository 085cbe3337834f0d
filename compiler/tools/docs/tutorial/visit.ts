/**
 * Reads the lists of the tutorial. A list is a visit: a name, what this person does, and what the last page shows.
 *
 *     - Ada: open `/events/new`.
 *     - Title: `Regatta`
 *     - Starts at: 10:00, 20 days from today
 *     - Venue: choose `Boathouse`
 *     - Photo: choose your photo
 *     - Press “Save”.
 *     - Follow the link “Change the event”.
 *     - The page is not found.
 *     - The page shows `Regatta`, `Boathouse`.
 *     - It does not show `Register`.
 *
 * Or it is a mail in the outbox, and the link in it that somebody follows:
 *
 *     - Open `/_ingot/outbox`: there is a mail to `ben@club.example` with the subject `Welcome`.
 *     - Ben: open the mail and follow its link “Confirm your address”. The page shows `ben@club.example`.
 *
 * Fields, buttons and links have the names that the page shows.
 */
import type { Block } from '../entry.ts'
import { list } from '../page.ts'
import { type Lines, takeItem } from '../page-lines.ts'
import type { Action, Part } from './step.ts'

/** Texts in backticks, separated by commas. */
const CODES = '`[^`]+`(?:, `[^`]+`)*'
const MAIL = /^Open `\/_ingot\/outbox`: there is a mail to `([^`]+)` with the subject `([^`]+)`\.$/
const MAIL_LINK = sentence('(\\w+): open the mail and follow its link “([^”]+)”\\. The page shows CODES')
const FIRST = /^(\w+): (.+)$/
const MISSING = sentence('The page is not found')
const SHOWS = sentence('The page shows CODES')
const HIDES = sentence('It does not show CODES')
const PRINTS = sentence('It prints CODES')

/** What somebody does. The groups of a pattern are the arguments. */
const ACTIONS: readonly (readonly [
  pattern: RegExp,
  action: (first: string, second: string, third: string) => Action,
])[] = [
  [/^open `([^`]+)`\.$/, (path) => ({ kind: 'open', path })],
  [/^Follow the link “([^”]+)”\.$/, (link) => ({ kind: 'follow', link })],
  [/^Press “([^”]+)”\.$/, (button) => ({ kind: 'press', button })],
  [/^([^:`]+): choose your photo$/, (label) => ({ kind: 'photo', label })],
  [/^([^:`]+): choose `([^`]+)`$/, (label, option) => ({ kind: 'choose', label, option })],
  [
    /^([^:`]+): (\d\d:\d\d), (\d+) days from today$/,
    (label, time, days) => ({ kind: 'date', label, days: Number(days), time }),
  ],
  [/^([^:`]+): `([^`]+)`$/, (label, value) => ({ kind: 'enter', label, value })],
]

/** The items of a list, and the position in them. */
class Items {
  private at = 0
  private readonly items: { readonly text: string; readonly line: number }[] = []
  private readonly lines: Lines

  constructor(lines: Lines) {
    this.lines = lines
    for (let line = lines.number, text = takeItem(lines); text !== null; line = lines.number, text = takeItem(lines))
      this.items.push({ text, line })
  }

  get texts(): readonly string[] {
    return this.items.map(({ text }) => text)
  }

  /** The next item, without taking it. Undefined at the end. */
  get next(): string | undefined {
    return this.items[this.at]?.text
  }

  skip(): void {
    this.at++
  }

  /** Takes the next item if it matches, and returns the groups of the pattern. */
  match(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(this.next ?? '')
    if (found !== null) this.skip()
    return found
  }

  /** Reports a problem of the next item. */
  fail(problem: string): never {
    return this.lines.fail(problem, this.items[this.at]?.line)
  }
}

/** Takes a list: a visit or a mail. */
export function takeVisit(lines: Lines): { readonly part: Part; readonly blocks: readonly Block[] } {
  const items = new Items(lines)
  const part = mailOf(items) ?? visitOf(items)
  if (items.next !== undefined) items.fail('this item is not an action, or not in its place')
  return { part, blocks: [list(...items.texts)] }
}

/** Returns the lines in a text `It prints …`. Undefined for other texts. */
export function printedLines(text: string): readonly string[] | undefined {
  const [, printed] = PRINTS.exec(text) ?? []
  return printed === undefined ? undefined : codesOf(printed)
}

function mailOf(items: Items): Part | null {
  const [, to, subject] = items.match(MAIL) ?? []
  if (to === undefined || subject === undefined) return null
  const [, who = '', link = null, shows] = items.match(MAIL_LINK) ?? []
  return { kind: 'mail', to, subject, link, who, shows: codesOf(shows) }
}

function visitOf(items: Items): Part {
  const [, who = items.fail('a list begins with `Name: ` and an action, or with a mail in the outbox'), first] =
    FIRST.exec(items.next ?? '') ?? []
  const actions: Action[] = []
  for (let action = actionOf(first); action !== undefined; action = actionOf(items.next)) {
    actions.push(action)
    items.skip()
  }
  const status = items.match(MISSING) === null ? 200 : 404
  const [, shows] = items.match(SHOWS) ?? []
  const [, hides] = items.match(HIDES) ?? []
  return { kind: 'visit', who, actions, shows: codesOf(shows), hides: codesOf(hides), status }
}

function actionOf(item = ''): Action | undefined {
  for (const [pattern, action] of ACTIONS) {
    const [found, first = '', second = '', third = ''] = pattern.exec(item) ?? []
    if (found !== undefined) return action(first, second, third)
  }
  return undefined
}

function sentence(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace('CODES', `(${CODES})`)}\\.$`)
}

function codesOf(text = ''): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}
