/**
 * The headers that all responses have. A new security header is one line here. If pages must not set it, add it also to `RESERVED` in
 * `server/web/site/response-headers.ts` and to `SERVER_HEADERS` in `compiler/language/settings/headers.ts`.
 */

/** Security headers of all responses, including those without a handler: refused connections, health checks and metrics. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-xss-protection': '0',
  'referrer-policy': 'strict-origin-when-cross-origin',
}

/** Default headers of all responses of handlers. A response may override each of them. */
export const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  'cache-control': 'max-age=0, private, must-revalidate',
}

/** The security headers as lines of a raw HTTP response, each without its line end. */
export const SECURITY_HEADER_LINES: readonly string[] = Object.entries(SECURITY_HEADERS).map(
  ([name, value]) => `${name}: ${value}`,
)
