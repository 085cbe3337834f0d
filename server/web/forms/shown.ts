/** Whether anything shows a resource after its form was saved: Liquid in what follows a submit, or a job of the form. */
import type { FormEntry, Setting } from '../../../runtime/page/site.ts'
import { queuesJobs } from './queue.ts'

const known = new WeakMap<FormEntry, boolean>()

export function isShownAfterwards(form: FormEntry): boolean {
  let shown = known.get(form)
  if (shown === undefined) {
    const { callbackActions, flashNotice, redirectTo, responseHeaders } = form
    shown = queuesJobs(form) || [callbackActions, flashNotice, redirectTo, responseHeaders].some(isComputed)
    known.set(form, shown)
  }
  return shown
}

function isComputed(setting: Setting | null): boolean {
  return setting !== null && setting.kind !== 'plain'
}
