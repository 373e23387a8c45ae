import type { Contract } from "../../../areas/contracts/schema";

export interface OfContract {
	readonly contract: Contract;
}

export const pathOf = ({ contractId }: Contract): string => `/contracts/${encodeURIComponent(contractId)}`;
