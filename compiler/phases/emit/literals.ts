/** Prints numbers, texts and keys as literals. */

/** Returns a number as a literal. */
export function numberText(value: number | bigint): string {
  if (typeof value === 'bigint') return `${value}n`
  return Object.is(value, -0) ? '-0' : String(value)
}

/** Returns whether a name can be used after a dot. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)
}

/** Returns a key for an object literal. */
export function keyText(key: string): string {
  // A plain key would set the prototype of the object.
  if (key === '__proto__') return "['__proto__']"
  return isIdentifier(key) ? key : quoted(key)
}

/** Returns a text as a literal in single quotes. */
export function quoted(text: string): string {
  return `'${text.replace(/[\\'\n\u2028\u2029]|[\0-\u001f]/g, escapeCharacter)}'`
}

/** Returns a text as a part of a template literal, with line feeds unescaped. */
export function templateText(text: string): string {
  return text.replace(/[\\`\u2028\u2029]|\$\{|[\0-\u0009\u000b-\u001f]/g, (found) =>
    found === '${' ? '\\${' : escapeCharacter(found),
  )
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '`': '\\`',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
}

function escapeCharacter(found: string): string {
  return NAMED_ESCAPES[found] ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
}
