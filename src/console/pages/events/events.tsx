import { Route, Switch } from "wouter";
import { Page } from "../../kit/page";
import { Tabs } from "../../kit/tabs";
import { t } from "../../messages/events";
import { EventTail } from "./tail";
import { UnmatchedNames } from "./unmatched";

export default function Events() {
	return (
		<Page title={t.title} text={t.text} curl="/events">
			<Tabs
				label={t.title}
				tabs={[
					{ name: t.live, path: "/events" },
					{ name: t.unmatched, path: "/events/unmatched" },
				]}
			/>
			<Switch>
				<Route path="/events" component={EventTail} />
				<Route path="/events/unmatched" component={UnmatchedNames} />
			</Switch>
		</Page>
	);
}
