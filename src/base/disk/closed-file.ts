/** The error of a call to a closed file. */
export const closedFile = () => Object.assign(new Error('EBADF: the file is closed'), { code: 'EBADF' })
