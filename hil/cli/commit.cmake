# topple_commit(SOURCE): the commit that the sources in SOURCE are from, in the caller's variables
#   commit        full hash; empty if nobody knows
#   commit_time   seconds since 1970; empty if nobody knows
#   commit_dirty  TRUE if tracked files differ from it
# Asked in this order: git, if SOURCE is the top of its work tree (not a folder in some other project); what `git archive`
# wrote into archive_commit.txt.
function(topple_commit source)
    set(commit "")
    set(commit_time "")
    set(commit_dirty FALSE)
    find_program(GIT git)
    if(GIT AND EXISTS ${source}/.git)
        execute_process(COMMAND ${GIT} -C ${source} log -1 "--format=%H %ct" OUTPUT_VARIABLE answer
                        ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
        execute_process(COMMAND ${GIT} -C ${source} --no-optional-locks status --porcelain --untracked-files=no
                        OUTPUT_VARIABLE changes ERROR_QUIET)
        if(changes)
            set(commit_dirty TRUE)
        endif()
    else()
        file(STRINGS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/archive_commit.txt answer LIMIT_COUNT 1)
    endif()
    if(answer MATCHES "^([0-9a-f]+) ([0-9]+)$")
        set(commit ${CMAKE_MATCH_1})
        set(commit_time ${CMAKE_MATCH_2})
    endif()
    return(PROPAGATE commit commit_time commit_dirty)
endfunction()
