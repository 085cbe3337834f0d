/** Parses a metrics page like Prometheus, and refuses invalid pages. */

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (-?(?:[\d.]+(?:e[+-]?\d+)?|Inf)|NaN|\+Inf)$/i
const LABEL = /([a-z_]+)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy

/** @throws Error for a line that is neither a sample nor a comment */
export function samplesOf(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    if (line === '' || /^# (?:HELP|TYPE) /.test(line)) return []
    const found = LINE.exec(line)
    if (found === null) throw new Error(`no sample: ${line}`)
    const [, name = '', list = '', value = ''] = found
    const labels = [...list.matchAll(LABEL)]
    if (labels.reduce((length, [all]) => length + all.length, 0) !== list.length) throw new Error(`no labels: ${line}`)
    return [{ name, labels: Object.fromEntries(labels.map(([, key, text]) => [key, text])), value: Number(value) }]
  })
}

/** Returns the sum of all samples with this name and these labels. */
export function sumOf(samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}): number {
  return samples
    .filter((each) => each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0)
}
