/** Tests the check of a server's port, which comes before anything is installed, built or started. */
import { createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { portProblem } from '../../../server/commands/port.mjs'

let server: Server
let port: number

beforeEach(async () => {
  server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})

afterEach(() => new Promise((done) => server.close(done)))

test('a port in use is reported with the program that uses it and what to do', async () => {
  const problem = (await portProblem([], { PORT: String(port) })) ?? ''
  expect(problem).toContain(`Port ${port} is in use already`)
  expect(problem).toMatch(/, or choose another port with PORT=\d+\.$/)
  if (process.platform === 'linux')
    expect(problem).toContain(`(process ${process.pid}): stop it with \`kill ${process.pid}\``)
})

test('the advice fits the way in which the command was started', async () => {
  const byScript = await portProblem([], { PORT: String(port), npm_lifecycle_event: 'start' })
  expect(byScript).toMatch(/ with `PORT=\d+ npm start`\.$/)
  for (const args of [['--port', String(port)], [`--port=${port}`]])
    expect(await portProblem(args, {})).toMatch(/ with `--port \d+`\.$/)
})

test('a free port is no problem, and invalid settings are left to the command', async () => {
  for (const given of ['0', '-1', '70000', 'x', '']) expect(await portProblem([], { PORT: given })).toBeNull()
  await new Promise((done) => server.close(done))
  expect(await portProblem([], { PORT: String(port) })).toBeNull()
  expect(await portProblem(['--host', 'not a host', '--port', String(port)], {})).toBeNull()
})
