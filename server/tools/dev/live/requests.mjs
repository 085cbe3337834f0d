/** Requests that act on the developer's machine: they open files of the site in the editor, and apply fixes. */

/** A place in a file of the site. @typedef {{ readonly file: string, readonly line: number }} Place */

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
 * Opens a file in the editor.
 * @param {Place} place
 * @param {string} token
 */
export async function openFile(place, token) {
  const { answer, token: used } = await post('/_ingot/open', place, token)
  const { opened, editor, error = 'The file was not opened.' } = answer
  return {
    isDone: opened !== undefined,
    sentence: opened === undefined ? error : `Opened ${opened} with ${editor}.`,
    token: used,
  }
}

/**
 * Applies the fix of an error.
 * @param {string} fix its id
 * @param {string} token
 */
export async function applyFix(fix, token) {
  const { answer, token: used } = await post('/_ingot/fix', { fix }, token)
  const { fixed, error = 'The fix was not applied.' } = answer
  return {
    isDone: fixed !== undefined,
    sentence: fixed === undefined ? error : `Changed ${fixed.join(', ')}.`,
    token: used,
  }
}

/**
 * @param {string} path
 * @param {object} body
 * @param {string} token
 */
async function post(path, body, token) {
  const used = await withToken(token, (current) =>
    fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-ingot-token': current },
      body: JSON.stringify(body),
    }),
  )
  /** @type {{ opened?: string, editor?: string, fixed?: string[], error?: string }} */
  const answer = await used.answer.json()
  return { answer, token: used.token }
}
