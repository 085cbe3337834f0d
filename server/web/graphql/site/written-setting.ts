/**
 * Reads a setting as it is written in front matter, including Liquid. A server renders settings but has no YAML parser.
 */

/** Returns the text of an unindented key, or null when the key is missing. */
export function writtenSetting(source: string, key: string): string | null {
  const lines = (/^---[ \t]*\r?\n([\s\S]*?)^---/m.exec(source)?.[1] ?? source).split(/\r?\n/)
  const keyLine = lines.findIndex((line) => line.startsWith(`${key}:`))
  if (keyLine < 0) return null
  const sameLine = (lines[keyLine] ?? '').slice(key.length + 1).trim()
  const followingLines = lines.slice(keyLine + 1)
  const end = followingLines.findIndex((line) => line.trim() !== '' && !/^\s/.test(line))
  const valueLines = end < 0 ? followingLines : followingLines.slice(0, end)
  if (/^[|>][-+\d]*$/.test(sameLine)) return parseBlock(valueLines, sameLine.startsWith('>'))
  const joined = [sameLine, ...valueLines.map((line) => line.trim())].join(' ').trim()
  return unquote(joined)
}

function parseBlock(lines: readonly string[], folded: boolean): string {
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)))
  const unindented = lines.map((line) => line.slice(Number.isFinite(indent) ? indent : 0))
  return (folded ? unindented.join(' ') : unindented.join('\n')).trim()
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
