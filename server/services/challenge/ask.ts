/** Asks a provider about a token. Nothing that it answers, or fails to answer, is more than a sentence here. */
import * as z from 'zod'

const verdict = z.object({
  success: z.boolean(),
  score: z.number().min(0).max(1).optional(),
  action: z.string().optional(),
  'error-codes': z.array(z.string()).optional(),
})

export interface ChallengeResult {
  readonly passed: boolean
  /** Null where the provider keeps no scores. */
  readonly score: number | null
  readonly action: string | null
  readonly codes: readonly string[]
}

/** Bytes of an answer. */
const MOST = 65_536

/**
 * @param url that takes tokens
 * @param form what is sent: secret, token, the visitor's address
 * @param timeout milliseconds for all of it
 * @returns what the provider says, or why there is no answer
 */
export async function askProvider(
  url: string,
  form: Readonly<Record<string, string>>,
  timeout: number,
): Promise<ChallengeResult | { readonly failure: string }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { accept: 'application/json' },
      // The secret goes where it was sent, and nowhere else.
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    const text = await readText(response)
    if (!response.ok) return { failure: `it answered ${response.status}` }
    if (text === null) return { failure: 'its answer has no end' }
    const read = verdict.safeParse(parsed(text))
    if (!read.success) return { failure: 'its answer is none of its kind' }
    const { data } = read
    return {
      passed: data.success,
      score: data.score ?? null,
      action: data.action ?? null,
      codes: data['error-codes'] ?? [],
    }
  } catch (error) {
    return { failure: reasonOf(error, timeout) }
  }
}

async function readText(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop closes the connection.
    if (size > MOST) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** The JSON of an answer; null, which no provider means, for what is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function reasonOf(error: unknown, timeout: number): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${timeout / 1000} s`
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message
}
