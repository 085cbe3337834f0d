/**
 * Reads a setting as it is written in front matter, including Liquid. A server renders settings but has no YAML parser.
 */

/** Returns the text of an unindented key, or null when the key is missing. */
export function writtenSetting(source: string, key: string): string | null {
  const lines = (/^---[ \t]*\r?\n([\s\S]*?)^---/m.exec(source)?.[1] ?? source).split(/\r?\n/)
  const at = lines.findIndex((line) => line.startsWith(`${key}:`))
  if (at < 0) return null
  const sameLine = (lines[at] ?? '').slice(key.length + 1).trim()
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => line.trim() !== '' && !/^\s/.test(line))
  const below = end < 0 ? rest : rest.slice(0, end)
  if (/^[|>][-+\d]*$/.test(sameLine)) return parseBlock(below, sameLine.startsWith('>'))
  const joined = [sameLine, ...below.map((line) => line.trim())].join(' ').trim()
  return unquote(joined)
}

function parseBlock(lines: readonly string[], folded: boolean): string {
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)))
  const plain = lines.map((line) => line.slice(Number.isFinite(indent) ? indent : 0))
  return (folded ? plain.join(' ') : plain.join('\n')).trim()
}

function unquote(text: string): string {
  if (/^'[\s\S]*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'")
  if (/^"[\s\S]*"$/.test(text))
    return text
      .slice(1, -1)
      .replace(/\\(["\\])/g, '$1')
      .replaceAll('\\n', '\n')
  return text
}
