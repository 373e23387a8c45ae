import type { LoggedEvent } from "../../../areas/usage/events/schema";
import { send } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, Dialog } from "../../kit/dialog";
import { When } from "../../kit/money";
import { Facts } from "../../kit/page";
import { Badge } from "../../kit/status";
import { t } from "../../messages/events";
import { may } from "../../session";

interface EventDrawerProps {
	readonly event: LoggedEvent | undefined;
	readonly onClose: () => void;
}

/** What one event says, and what each meter made of it. */
export const EventDrawer = ({ event, onClose }: EventDrawerProps) => (
	<Dialog kind="drawer" title={event?.eventName ?? ""} isOpen={event !== undefined} onClose={onClose}>
		{event && <Details event={event} onClose={onClose} />}
	</Dialog>
);

function Details({ event, onClose }: { readonly event: LoggedEvent; readonly onClose: () => void }) {
	const dimensions = Object.entries(event.dimensions);
	return (
		<>
			<Facts
				of={[
					[t.customer, <Id key="customer" of={event.customerId} />],
					[t.resource, event.resourceId],
					[t.at, <When key="at" at={event.timestamp} />],
					[t.key, <Id key="key" of={event.idempotencyKey} />],
				]}
			/>
			<h3>{t.meters}</h3>
			{event.meters.length === 0 && <p className="note warn">{t.noMeter}</p>}
			<ul className="lines">
				{event.meters.map(({ featureId, isCounted, message }) => (
					<li key={featureId}>
						<code>{featureId}</code>
						<Badge tone={isCounted ? "good" : "bad"}>{isCounted ? t.counted : t.notCounted}</Badge>
						{message && <p className="quiet small">{message}</p>}
					</li>
				))}
			</ul>
			<h3>{t.dimensions}</h3>
			{dimensions.length === 0 ? (
				<p className="quiet">{t.none}</p>
			) : (
				<pre>{JSON.stringify(event.dimensions, null, 2)}</pre>
			)}
			{!event.canceledAt && may("USAGE:WRITE") && (
				<footer>
					<ConfirmButton
						label={t.takeBack}
						title={t.takeBackTitle}
						says={<p>{t.takeBackSays}</p>}
						perform={() => send("POST", "/events/cancel", { events: [{ id: event.id }] })}
						onDone={onClose}
						isDanger
					/>
				</footer>
			)}
		</>
	);
}
