/** Quotes an argument for a POSIX shell when it needs it, for commands in messages. */
export function shellWord(text: string): string {
  return /^[\w./@:+,\\-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
