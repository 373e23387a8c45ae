/** What the system would refuse; a life leaves it out. */
export class Refused extends Error {}
