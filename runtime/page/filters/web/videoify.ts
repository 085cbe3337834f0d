/** `videoify`: an embedded video. */
import { Safe } from '../../values/text.ts'
import { textArgument } from '../text/pattern.ts'
import type { NamedArguments, Textual, Value } from '../types.ts'
import { frameOf, videoAt } from './videos.ts'

export const dialect = 'platform'

/**
 * The HTML frame that shows the video with this URL, with the named arguments as attributes; empty for any other URL.
 * @throws ArgumentFault for an input that is no text
 */
export function videoify(input: Textual, options: NamedArguments<{ [name: string]: Value }> = null): Safe {
  const video = videoAt(textArgument(input, 'videoify'))
  return new Safe(video === null ? '' : frameOf(video, options))
}
