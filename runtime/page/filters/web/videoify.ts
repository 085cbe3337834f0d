/** `videoify`: an embedded video. */
import { Safe } from '../../values/text.ts'
import { textArgument } from '../text/pattern-argument.ts'
import type { NamedArguments, Textual, Value } from '../types.ts'
import { createFrame, findVideo } from './videos.ts'

export const dialect = 'platform'

/**
 * The HTML frame of the video with this URL, with the named arguments as attributes. Empty for other URLs.
 * @throws ArgumentFault for an input that is not text
 */
export function videoify(input: Textual, options: NamedArguments<{ [name: string]: Value }> = null): Safe {
  const video = findVideo(textArgument(input, 'videoify'))
  return new Safe(video === null ? '' : createFrame(video, options))
}
