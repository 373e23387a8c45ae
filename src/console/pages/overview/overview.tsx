import { Card, Page } from "../../kit/page";
import { t } from "../../messages/overview";
import { may } from "../../session";
import { Attention } from "./attention";
import { EventsChart } from "./events-chart";
import { InvoicedChart } from "./invoiced-chart";

export default function Overview() {
	return (
		<Page title={t.title} text={t.text} curl="/invoices/totals?interval=MONTH">
			<Attention />
			<div className="grid">
				{may("INVOICE:READ") && (
					<Card title={t.invoiced} text={t.invoicedText}>
						<InvoicedChart />
					</Card>
				)}
				{may("USAGE:READ") && (
					<Card title={t.usage} text={t.usageText}>
						<EventsChart />
					</Card>
				)}
			</div>
		</Page>
	);
}
