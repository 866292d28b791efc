import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../../api/client.ts";
import { call, statusOf } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { beginEdit, withTheirs, overTheirs, windowsOf, type WindowsEdit } from "./drafts.ts";
import { windowsQuery, type WindowsOfEnvironment } from "./queries.ts";

const route = getRouteApi("/schedules");
const conflict = 409;

/** The windows of one environment while they are edited. What somebody else saves meanwhile is neither overwritten nor a reason to lose the drafts. */
export const useWindowsEdit = (of: WindowsOfEnvironment) => {
  const { environment } = of;
  const [edit, setEdit] = useState(() => beginEdit(of));
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const close = (): Promise<void> => navigate({ search: (previous) => ({ ...previous, edit: undefined }) });
  const readAgain = async (): Promise<WindowsOfEnvironment | undefined> => {
    const { data } = await queries.fetchQuery({ ...windowsQuery, staleTime: 0 });
    return data.find((each) => each.environment === environment);
  };
  const saving = useMutation({
    async mutationFn(wanted: WindowsEdit): Promise<void> {
      const windows = windowsOf(wanted) as WindowsOfEnvironment["windows"];
      try {
        await call(
          api.coordinator.PUT("/api/coordinator/v1/maintenance-windows/{environment}", {
            params: { path: { environment } },
            body: { version: wanted.version, windows },
          }),
        );
      } catch (error) {
        if (statusOf(error) !== conflict) throw error;
        const theirs = await readAgain();
        if (theirs === undefined || theirs.version === wanted.version) throw error;
        setEdit((current) => withTheirs(current, theirs));
        return;
      }
      await queries.invalidateQueries({ queryKey: keys.windows });
      await close();
    },
  });
  return {
    edit,
    /** Takes a change of the drafts. */
    change: setEdit,
    error: saving.error,
    isSaving: saving.isPending,
    save: (): void => saving.mutate(edit),
    saveOverTheirs: (): void => {
      const over = overTheirs(edit);
      setEdit(over);
      saving.mutate(over);
    },
    close: (): void => void close(),
  };
};
