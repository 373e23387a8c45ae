import type { IssuerWarning } from "../../areas/legal-entities/schema";
import { t } from "../messages/shared/invoicing";
import { Icon } from "./icons";

/** Shows the details that an issuer lacks for valid invoices. */
export const IssuerWarnings = ({ of }: { readonly of: readonly IssuerWarning[] }) =>
	of.map(({ code }) => (
		<p key={code} className="note warn" role="status">
			<Icon name="warning" />
			{t[code]}
		</p>
	));
