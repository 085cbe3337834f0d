/**
 * The entry of the process that runs the custom checks of a site. Only `ingot check` starts it (`run.ts`), because it runs JavaScript of
 * the site's author.
 */
import { openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Answer, CheckRequest, RunningPlace, StartPlace } from '../messages.ts'
import { Checker } from './checker.ts'
import { describeError } from './errors.ts'

const [, , folder = '', start = ''] = process.argv
const request = JSON.parse(readFileSync(join(folder, 'request.json'), 'utf8')) as CheckRequest

// If `ingot check` is killed, a check in an endless loop would run for ever. Only another thread can end it.
new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${Math.ceil(request.limit)})`, {
  eval: true,
  resourceLimits: { maxOldGenerationSizeMb: 8 },
}).unref()

const answerFile = openSync(join(folder, 'answers.jsonl'), 'a')
const placeFile = openSync(join(folder, 'place.json'), 'w')
let place: RunningPlace = { module: null, file: null, check: null, code: null }

// Written with synchronous calls, so that nothing is lost when the process is killed in the next line.
const checker = new Checker(request, {
  answer: (answer: Answer) => writeSync(answerFile, `${JSON.stringify(answer)}\n`),
  enter: (next: RunningPlace) => {
    place = next
    // Overwrites the first line. The rest of a longer earlier line stays after it.
    writeSync(placeFile, `${JSON.stringify(next)}\n`, 0)
  },
})

// Errors outside of the calls of a check, such as in its timers.
const reportStray = (error: unknown): void => {
  const { code, file } = place
  if (code === null || file === null) {
    process.stderr.write(`${describeError(error)}\n`)
    process.exit(1)
  }
  checker.reportThrown(code, request.visited[file] ?? 0, error)
}
process.on('uncaughtException', reportStray)
process.on('unhandledRejection', reportStray)

// Timers and sockets of checks do not keep the process alive.
void checker.run(JSON.parse(start) as StartPlace).then(() => process.exit(0))
