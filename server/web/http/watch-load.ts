/** Whether this process keeps its visitors waiting. */

/**
 * Detects that one page has just kept this process busy. Answers then close their connections, so that clients
 * reconnect to a free process instead of waiting again.
 */
export function watchLoad(): { late(): boolean; stop(): void } {
  const EVERY = 250
  let expected = performance.now() + EVERY
  let late = false
  const timer = setInterval(() => {
    const now = performance.now()
    late = now - expected > EVERY
    expected = now + EVERY
  }, EVERY)
  timer.unref()
  return { late: () => late, stop: () => clearInterval(timer) }
}
