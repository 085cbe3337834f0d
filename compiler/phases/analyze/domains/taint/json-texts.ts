/** Follows values through JSON that a template writes around them and that `parse_json` reads. */
import {
  changeTaints,
  type Flow,
  join,
  joinTaints,
  listFlow,
  NOTHING,
  recordFlow,
  taintedFlow,
  type Taint,
} from './flow.ts'
import type { CapturedPiece } from './state.ts'

const PLACEHOLDER = /\u0001(\d+)\u0001/g

/**
 * Returns the parsed value, with the taints of each printed value at its position. If the text is not JSON, returns a text with all taints.
 */
export function parsedFlow(pieces: readonly CapturedPiece[]): Flow {
  const values = pieces.filter((piece) => typeof piece !== 'string').map((taints) => changeTaints(taints, 'decode'))
  let text = ''
  let at = 0
  let isInString = false
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece
      for (let index = 0; index < piece.length; index++) {
        if (piece[index] === '\\') index++
        else if (piece[index] === '"') isInString = !isInString
      }
    } else {
      const placeholder = `\u0001${at++}\u0001`
      text += isInString ? placeholder : JSON.stringify(placeholder)
    }
  }
  try {
    return flowOfJson(JSON.parse(text.replaceAll('\u0001', '\\u0001')), values)
  } catch {
    return taintedFlow(values.reduce<readonly Taint[]>(joinTaints, []))
  }
}

function flowOfJson(value: unknown, values: readonly (readonly Taint[])[]): Flow {
  if (typeof value === 'string') {
    const taints = [...value.matchAll(PLACEHOLDER)].flatMap(([, at]) => values[Number(at)] ?? [])
    return taintedFlow(taints, !value.startsWith('\u0001') && value !== '')
  }
  if (Array.isArray(value))
    return listFlow(value.map((each) => flowOfJson(each, values)).reduce((one, other) => join(one, other), NOTHING))
  if (typeof value !== 'object' || value === null) return NOTHING
  return recordFlow(new Map(Object.entries(value).map(([key, each]) => [key, flowOfJson(each, values)])))
}
