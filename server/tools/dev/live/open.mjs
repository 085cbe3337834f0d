/** Opens files of the site in the developer's editor. */

/**
 * A place in a file of the site. `element` is an opening tag, whose line is looked for when `line` is missing.
 * @typedef {{ readonly file: string, readonly line?: number, readonly element?: string }} Place
 */

/**
 * Sends a request with a token of the server. Tokens expire after minutes, so a refused request is sent again with a new one.
 * @param {string} token
 * @param {(token: string) => Promise<Response>} send
 * @returns {Promise<{ readonly answer: Response, readonly token: string }>} with the token that was used last
 */
export async function withToken(token, send) {
  const answer = await send(token)
  if (answer.status !== 401) return { answer, token }
  const renewal = await fetch('/_ingot/open/token', { method: 'POST' })
  if (!renewal.ok) return { answer, token }
  /** @type {{ token: string }} */
  const { token: fresh } = await renewal.json()
  return { answer: await send(fresh), token: fresh }
}

/**
 * Opens a file. Returns a sentence to show, and the token that was used last.
 * @param {Place} place
 * @param {string} token
 */
export async function openFile(place, token) {
  const used = await withToken(token, (current) =>
    fetch('/_ingot/open', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-ingot-token': current },
      body: JSON.stringify(place),
    }),
  )
  /** @type {{ opened?: string, editor?: string, error?: string }} */
  const { opened, editor, error } = await used.answer.json()
  const sentence = opened === undefined ? (error ?? 'The file was not opened.') : `Opened ${opened} with ${editor}.`
  return { isOpened: opened !== undefined, sentence, token: used.token }
}
