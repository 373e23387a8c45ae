export interface Measure {
	readonly name: string;
	readonly value: string;
	/** Against the ceiling of the same run. */
	readonly ratio?: number;
	readonly aim?: string;
}
