/** What was left out of a request that is taken in part. */
export interface Rejected {
	readonly points: number;
	/** Each once, as far as there is room for them. */
	readonly reasons: readonly string[];
}

/** Our choice: who reads a log of refusals needs to see each kind once. */
const reasonsMax = 10;

export class Rejections implements Rejected {
	points = 0;
	readonly reasons: string[] = [];

	add(reason: string): void {
		this.points += 1;
		if (this.reasons.length < reasonsMax && !this.reasons.includes(reason)) this.reasons.push(reason);
	}
}
