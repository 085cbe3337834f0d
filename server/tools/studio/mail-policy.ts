/** The headers of a page that shows a mail as its recipient sees it. */

/** A mail runs no scripts, sends no forms, and has no origin. Its links open in a new tab. */
export const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src http: https: data:; media-src http: https:; font-src http: https: data:; style-src http: https: 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'"
