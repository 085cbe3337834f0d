/** Asks a provider to verify a token. Failures are returned as a sentence, not thrown. */
import * as z from 'zod'

const responseSchema = z.object({
  success: z.boolean(),
  score: z.number().min(0).max(1).optional(),
  action: z.string().optional(),
  'error-codes': z.array(z.string()).optional(),
})

export interface ChallengeResult {
  readonly passed: boolean
  /** Null when the provider has no scores. */
  readonly score: number | null
  readonly action: string | null
  readonly codes: readonly string[]
}

/** Maximum size of the response in bytes. */
const MAX_BYTES = 65_536

/**
 * Sends a token to the provider.
 * @param url of the verification
 * @param form secret, token, and IP address of the visitor
 * @param timeout milliseconds for the whole request
 * @returns the provider's result, or why there is none
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
      // The secret must not be sent to another server.
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    const text = await readText(response)
    if (!response.ok) return { failure: `it responded with status ${response.status}` }
    if (text === null) return { failure: 'the response is too large' }
    const result = responseSchema.safeParse(parseJson(text))
    if (!result.success) return { failure: 'the response has an unknown format' }
    const { data } = result
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
    if (size > MAX_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Parses JSON; null when it is invalid. */
function parseJson(text: string): unknown {
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
