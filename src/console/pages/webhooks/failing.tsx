import type { Webhook } from "../../../areas/webhooks/schema";
import { Badge, Status } from "../../kit/status";
import { t } from "../../messages/webhooks";

/** Its own state, and whether what is sent arrives. */
export const State = ({ webhook: { status, failingSince } }: { readonly webhook: Webhook }) => (
	<span className="badges">
		<Status of={status} />
		{status === "ACTIVE" && failingSince !== null && <Badge tone="bad">{t.failing}</Badge>}
	</span>
);
