/** In a browser no files are uploaded, so the options are not checked. */
export const uploadKeys = {}

export function checkUploadOptions(): void {}
