import type { Coupon } from "../../../areas/coupons/schema";
import { ListAndPages, ListScreen } from "../../kit/list-screen";
import { Ago } from "../../kit/money";
import { Status, statusOptions } from "../../kit/status";
import { t } from "../../messages/coupons";
import { words } from "../../messages/shared/words";
import { CouponPage } from "./coupon";
import { discountOf, durationOf } from "./discount";
import { NewCoupon } from "./new-coupon";

const Coupons = () => (
	<ListAndPages path="/coupons" list={<CouponList />} page={(id) => <CouponPage key={id} id={id} />} />
);
export default Coupons;

const CouponList = () => (
	<ListScreen<Coupon>
		path="/coupons"
		text={t.text}
		filters={[{ name: "status", label: t.status, options: statusOptions(["ACTIVE", "ARCHIVED"]) }]}
		add={{ name: t.newCoupon, scope: "COUPON:WRITE", dialog: (state) => <NewCoupon {...state} /> }}
		table={{
			label: t.title,
			rowKey: ({ id }) => id,
			href: ({ id }) => `/coupons/${encodeURIComponent(id)}`,
			empty: { title: t.emptyTitle, text: t.emptyText },
			columns: [
				{ head: t.coupon, cell: ({ name }) => name },
				{ head: t.id, isWide: true, cell: ({ id }) => <code className="quiet">{id}</code> },
				{ head: t.discount, isFigure: true, cell: discountOf },
				{ head: t.duration, isWide: true, cell: durationOf },
				{ head: t.status, cell: ({ status }) => <Status of={status} /> },
				{ head: words.created, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
			],
		}}
	/>
);
