/** A call that Tollgate would reject; a history leaves it out. */
export class Refused extends Error {}
