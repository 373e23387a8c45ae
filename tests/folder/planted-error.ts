/**
 * An error in the money tables of a stopped server's main.db, which `tollgate check --billing` must find. Each table that holds
 * money, or decides when money is billed, has its rows here.
 */
export interface PlantedError {
	readonly name: string;
	readonly sql: readonly string[];
	/** A part of the finding. */
	readonly finds: string;
}

export const customer = (refId: string): string => `(SELECT id FROM customers WHERE ref_id = '${refId}')`;
