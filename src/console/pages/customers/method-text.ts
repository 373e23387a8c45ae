import type { PaymentMethod } from "../../../areas/collection/methods/schema";
import { wordFor } from "../../messages/charging";

/** The name of a saved method, such as `visa ·· 4242`. */
export const methodText = ({ brand, kind, last4 }: PaymentMethod): string =>
	`${brand ?? wordFor(kind)}${last4 ? ` ·· ${last4}` : ""}`;
