/** The pages that links in invitations and password mails open. */
const linkPaths = ["/accept-invitation", "/reset-password"] as const;
export type LinkPath = (typeof linkPaths)[number];

export const isLinkPath = (path: string): path is LinkPath => linkPaths.some((one) => one === path);
