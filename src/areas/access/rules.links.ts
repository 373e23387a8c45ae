/** Pages of the console that links open. */
type LinkedPage = "accept-invitation" | "reset-password";

/**
 * Returns a link with a token. The token is after `#`, which browsers do not send, so no server logs it. Without
 * `publicUrl`, returns only the path.
 */
export const linkTo = (publicUrl: string | undefined, page: LinkedPage, token: string): string =>
	`${publicUrl ?? ""}/console/${page}#token=${token}`;
