/**
 * `ingot service`: a warm compiler of a deployed site. It reads requests from standard input and answers each on standard output, as lines
 * of JSON, in order.
 */
import { createInterface } from 'node:readline'
import { HeapLimiter } from '../tools/service/heap-limiter.ts'
import { serviceRequest, SiteService } from '../tools/service/site-service.ts'

/**
 * Milliseconds without a request before the next edit is prepared. Until then, all server processes are busy loading the compiled code.
 */
const IDLE_TIME = 300
/** Milliseconds between two preparation steps, so that requests are answered in between. */
const STEP_PAUSE = 20

/** Answers requests until standard input ends. */
export async function service(): Promise<number> {
  const compiler = new SiteService()
  const rehearse = (): void => {
    if (compiler.rehearse()) idle = setTimeout(rehearse, STEP_PAUSE)
  }
  let idle = setTimeout(rehearse, IDLE_TIME)
  let heap: HeapLimiter | null = null
  for await (const line of createInterface({ input: process.stdin })) {
    clearTimeout(idle)
    const request = serviceRequest.parse(JSON.parse(line))
    process.stdout.write(`${JSON.stringify({ id: request.id, ...(await compiler.answer(request)) })}\n`)
    if (heap !== null) heap.noteRequest()
    else if (request.do !== 'exec' && request.do !== 'complete') heap = new HeapLimiter(20)
    idle = setTimeout(rehearse, IDLE_TIME)
  }
  clearTimeout(idle)
  return 0
}
