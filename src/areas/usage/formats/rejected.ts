/** The parts of a request that were rejected while the others were accepted. */
export interface Rejected {
	readonly points: number;
	/** Each reason once, up to a limit. */
	readonly reasons: readonly string[];
}

/** Readers of a log of rejections need each kind once. */
const reasonsMax = 10;

export class Rejections implements Rejected {
	points = 0;
	readonly reasons: string[] = [];

	add(reason: string): void {
		this.points += 1;
		if (this.reasons.length < reasonsMax && !this.reasons.includes(reason)) this.reasons.push(reason);
	}
}
