/** The places of a template where others see texts, each with what of them matters there. */
import { joinTaints, mayShow, mayThreaten, threatens } from './flow.ts'
import { isSeen } from './secrets.ts'
import type { Sink } from './summary.ts'

export class Sinks {
  readonly #sinks = new Map<string, Sink>()

  get all(): readonly Sink[] {
    return [...this.#sinks.values()]
  }

  /** Keeps what may be dangerous there. */
  add({ taints, danger, ...where }: Sink): void {
    const { span, how, format } = where
    const left = taints.filter((taint) => {
      const { origin } = taint
      const secrecy = origin.kind === 'source' ? (origin.secret ?? 'always') : 'always'
      const isShown = mayShow(taint) && isSeen(secrecy, how, format)
      if (isShown || danger === null) return isShown
      return origin.kind === 'source' ? threatens(taint, danger.hazards) : mayThreaten(taint, danger.hazards)
    })
    if (left.length === 0) return
    const key = `${span.file}:${span.start} ${how} ${danger?.kind}`
    const known = this.#sinks.get(key)
    this.#sinks.set(key, {
      ...where,
      danger,
      taints: joinTaints(known?.taints ?? [], left),
    })
  }
}
