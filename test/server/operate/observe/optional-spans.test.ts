/** Tests optional spans, which are kept only if they take long, and their child spans. */
import { describe, expect, test } from 'vitest'
import type { EndedSpan, Span, Tracer } from '../../../../server/core/contracts/tracer.ts'
import { createTracer } from '../../../../server/operate/observe/tracer.ts'
import { TemplateSpans } from '../../../../server/web/site/template-spans.ts'

const NEVER = 3_600_000
/** Milliseconds that are long enough to be measured. */
const SOON = 20

function recorded(): { tracer: Tracer; told: EndedSpan[]; tree: () => unknown } {
  const told: EndedSpan[] = []
  const tracer = createTracer({
    sampler: () => true,
    propagators: { context: true, baggage: true, unknown: [] },
    report: (span) => void told.push(span),
  })
  const below = (parentId: string | null): unknown =>
    Object.fromEntries(told.filter((span) => span.parentId === parentId).map((span) => [span.name, below(span.spanId)]))
  return { tracer, told, tree: () => below(null) }
}

function passed(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

function query(around: Span, name: string): void {
  around.child(name, 'client', {}).end()
}

describe('a piece', () => {
  test('that is over soon leaves what belongs to it to the work around it', () => {
    const { tracer, told, tree } = recorded()
    const page = tracer.request({}, 'page', true)
    const outer = page.optionalChild('outer', NEVER, {})
    const inner = outer.optionalChild('inner', NEVER, {})
    query(inner, 'first')
    inner.end()
    query(outer, 'second')
    expect(told).toEqual([])
    outer.end()
    expect(told.map(({ name }) => name)).toEqual(['first', 'second'])
    page.end()
    expect(tree()).toEqual({ page: { first: {}, second: {} } })
  })

  test('that takes long has what began in it before and after that was known', () => {
    const { tracer, told, tree } = recorded()
    const page = tracer.request({}, 'page', true)
    const outer = page.optionalChild('outer', SOON, {})
    const quick = outer.optionalChild('quick', NEVER, {})
    query(quick, 'first')
    quick.end()
    query(outer, 'second')
    passed(SOON)
    query(outer, 'third')
    // The span is complete, so it is reported immediately.
    expect(told.map(({ name }) => name)).toEqual(['third'])
    outer.end()
    outer.end()
    page.end()
    expect(tree()).toEqual({ page: { outer: { first: {}, second: {}, third: {} } } })
    expect(told).toHaveLength(5)
  })

  test('that an error left ends with the work around it; what ends still later belongs to what was kept', () => {
    const { tracer, tree } = recorded()
    const page = tracer.request({}, 'page', true)
    const left = page.optionalChild('left', SOON, {})
    const late = left.child('late', 'client', {})
    const short = left.optionalChild('short', NEVER, {})
    query(short, 'first')
    passed(SOON)
    page.end()
    late.end()
    expect(tree()).toEqual({ page: { left: { first: {}, late: {} } } })
  })

  test('is named to others only when it is surely kept', () => {
    const { tracer, told } = recorded()
    const page = tracer.request({}, 'page', true)
    const piece = page.optionalChild('piece', SOON, {})
    const idIn = (span: Span): string => span.internalHeaders()['traceparent']?.split('-')[2] ?? ''
    const early = idIn(piece)
    expect(early).toBe(idIn(page))
    passed(SOON)
    const late = idIn(piece)
    piece.end()
    page.end()
    expect(told.map(({ name, spanId }) => [name, spanId])).toEqual([
      ['piece', late],
      ['page', early],
    ])
  })
})

describe('the partials of a render', () => {
  test('that an error left are behind the template that caught it', () => {
    const { tracer, tree } = recorded()
    const page = tracer.request({}, 'page', true)
    const holder: { span?: Span | null } = { span: page }
    const watch = new TemplateSpans(holder, page, SOON)
    const outer = watch.begin('outer')
    watch.begin('failing')
    watch.begin('deep')
    query(holder.span ?? page, 'within')
    passed(SOON)
    watch.leaveFailed('outer')
    query(holder.span ?? page, 'behind')
    const other = watch.begin('other')
    watch.begin('lost')
    watch.end(other)
    watch.end(other)
    watch.end(outer)
    expect(holder.span).toBe(page)
    watch.begin('again')
    watch.leaveFailed('the page')
    expect(holder.span).toBe(page)
    page.end()
    expect(tree()).toEqual({
      page: { 'partial outer': { 'partial failing': { 'partial deep': { within: {} } }, behind: {} } },
    })
  })
})
