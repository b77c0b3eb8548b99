import type { SessionData } from "@stile/protocol/dashboard-api";
import { send } from "../../../api.ts";
import { Button } from "../../../ui/button.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { announce } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/page.tsx";
import { Failed, Loading } from "../../../ui/states.tsx";
import { Time } from "../../../ui/time.tsx";
import { useData } from "../../../ui/use-data.ts";
import { ACCOUNT } from "../text.ts";

/** Where the member is signed in, this browser first; any other session can be ended. */
export function SessionsPanel() {
  const sessions = useData<readonly SessionData[]>("me/sessions");
  const end = async (path: string, done: string) => {
    const answer = await send("DELETE", path);
    announce(answer.success ? done : answer.error.message);
    sessions.reload();
  };
  const { data } = sessions;
  const hasOthers = data?.some(({ isCurrent }) => !isCurrent) === true;
  return (
    <Panel
      title={ACCOUNT.sessions}
      intro={ACCOUNT.sessionsIntro}
      actions={
        hasOthers && (
          <Button onClick={() => end("me/sessions", ACCOUNT.othersEnded)}>
            {ACCOUNT.endOthers}
          </Button>
        )
      }
    >
      {sessions.state === "loading" && <Loading />}
      {sessions.state === "failed" && <Failed error={sessions.error} onRetry={sessions.reload} />}
      {data !== undefined && (
        <DataTable
          caption={ACCOUNT.sessions}
          rows={[...data].sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent))}
          rowKey={({ sessionId }) => sessionId}
          columns={[
            {
              key: "device",
              label: ACCOUNT.device,
              render: ({ device, isCurrent }) => (
                <div>
                  {device} {isCurrent && <span class="tag">{ACCOUNT.thisDevice}</span>}
                </div>
              ),
            },
            {
              key: "started",
              label: ACCOUNT.started,
              render: ({ createdAtMs }) => <Time ms={createdAtMs} />,
            },
            {
              key: "seen",
              label: ACCOUNT.lastSeen,
              render: ({ lastSeenAtMs }) => <Time ms={lastSeenAtMs} />,
            },
            {
              key: "end",
              label: ACCOUNT.action,
              align: "end",
              render: ({ sessionId, device, isCurrent }) =>
                !isCurrent && (
                  <Button
                    class="small"
                    aria-label={`${ACCOUNT.endSession}: ${device}`}
                    onClick={() =>
                      end(`me/sessions/${encodeURIComponent(sessionId)}`, ACCOUNT.sessionEnded)
                    }
                  >
                    {ACCOUNT.end}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </Panel>
  );
}
