/** Pages of the console to which links lead. */
type LinkedPage = "accept-invitation" | "reset-password";

/**
 * A link that carries a token. It stands behind the `#`, which browsers do not send: no log of a server or a proxy has it.
 * Without `publicUrl`, the path on whichever server this is.
 */
export const linkTo = (publicUrl: string | undefined, page: LinkedPage, token: string): string =>
	`${publicUrl ?? ""}/console/${page}#token=${token}`;
