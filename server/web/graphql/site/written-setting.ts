/** A setting as it is written in the front matter of a file, with its Liquid: a server renders settings, and has no reader of YAML. */

/** The text of a key that is not indented; null where it is missing. */
export function writtenSetting(source: string, key: string): string | null {
  const lines = (/^---[ \t]*\r?\n([\s\S]*?)^---/m.exec(source)?.[1] ?? source).split(/\r?\n/)
  const at = lines.findIndex((line) => line.startsWith(`${key}:`))
  if (at < 0) return null
  const own = (lines[at] ?? '').slice(key.length + 1).trim()
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => line.trim() !== '' && !/^\s/.test(line))
  const below = end < 0 ? rest : rest.slice(0, end)
  if (/^[|>][-+\d]*$/.test(own)) return block(below, own.startsWith('>'))
  const whole = [own, ...below.map((line) => line.trim())].join(' ').trim()
  return unquoted(whole)
}

function block(lines: readonly string[], folded: boolean): string {
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)))
  const plain = lines.map((line) => line.slice(Number.isFinite(indent) ? indent : 0))
  return (folded ? plain.join(' ') : plain.join('\n')).trim()
}

function unquoted(text: string): string {
  if (/^'[\s\S]*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'")
  if (/^"[\s\S]*"$/.test(text))
    return text
      .slice(1, -1)
      .replace(/\\(["\\])/g, '$1')
      .replaceAll('\\n', '\n')
  return text
}
