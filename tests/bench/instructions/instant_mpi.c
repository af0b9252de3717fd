/* This library is preloaded to run one process without the others. It stands for process 0 of as many as
 * CUBEFOLD_INSTANT_MPI says, each on a host of its own. Messages are complete as soon as they are posted, and
 * collective functions answer as if all processes had passed the same values. What arrives is what was in the buffer
 * before. So a program executes the same instructions in every run, since it never polls twice for one message.
 *
 * It has the functions that exchanges need, by both of their names. A program that calls another one reaches an MPI
 * that is not initialised, which ends it with the name of the function. Handles are numbers, so they must have the size
 * of pointers, as in Open MPI. Nothing here takes memory, and no call depends on the clock. */

#include <mpi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INSTANT(name, parameters)                                                  \
  extern __typeof__(PMPI_##name) MPI_##name __attribute__((alias("PMPI_" #name))); \
  int PMPI_##name parameters

#define UNUSED __attribute__((unused))

_Static_assert(sizeof(MPI_Comm) == sizeof(int64_t), "a communicator has the size of a pointer");
_Static_assert(sizeof(MPI_Datatype) == sizeof(int64_t), "a datatype has the size of a pointer");
_Static_assert(sizeof(MPI_Request) == sizeof(int64_t), "a request has the size of a pointer");

static void give_up(const char* reason) {
  fprintf(stderr, "instant_mpi: %s\n", reason);
  exit(1);
}

static unsigned long call_count = 0;

static int done(void) {
  ++call_count;
  return MPI_SUCCESS;
}

/* MPI_Pcontrol(0, &count) tells the calls so far, as a number of type unsigned long. */
int MPI_Pcontrol(UNUSED const int level, ...) {
  va_list arguments;
  va_start(arguments, level);
  *va_arg(arguments, unsigned long*) = call_count;
  va_end(arguments);
  return MPI_SUCCESS;
}

/* Processes */

static int is_initialised = 0;
static int is_finalised = 0;
static int world_size = 1;

INSTANT(Init, (UNUSED int* argc, UNUSED char*** argv)) {
  const char* size = getenv("CUBEFOLD_INSTANT_MPI");
  if (size != NULL) world_size = atoi(size);
  if (world_size < 1) give_up("CUBEFOLD_INSTANT_MPI is not a number of processes");
  is_initialised = 1;
  return done();
}
INSTANT(Init_thread, (int* argc, char*** argv, UNUSED int required, int* provided)) {
  *provided = MPI_THREAD_SINGLE;
  return PMPI_Init(argc, argv);
}
INSTANT(Initialized, (int* flag)) {
  *flag = is_initialised;
  return done();
}
INSTANT(Finalize, (void)) {
  is_finalised = 1;
  return done();
}
INSTANT(Finalized, (int* flag)) {
  *flag = is_finalised;
  return done();
}
INSTANT(Query_thread, (int* provided)) {
  *provided = MPI_THREAD_SINGLE;
  return done();
}
INSTANT(Get_processor_name, (char* name, int* length)) {
  *length = sprintf(name, "host0");
  return done();
}
INSTANT(Get_library_version, (char* version, int* length)) {
  *length = sprintf(version, "instant MPI");
  return done();
}

/* Every look at the clock is a microsecond after the one before. */
extern __typeof__(PMPI_Wtime) MPI_Wtime __attribute__((alias("PMPI_Wtime")));
double PMPI_Wtime(void) {
  static double now = 0;
  return now += 1e-6;
}

/* Errors */

INSTANT(Comm_get_errhandler, (UNUSED MPI_Comm comm, MPI_Errhandler* handler)) {
  *handler = MPI_ERRORS_ARE_FATAL;
  return done();
}
INSTANT(Comm_set_errhandler, (UNUSED MPI_Comm comm, UNUSED MPI_Errhandler handler)) {
  return done();
}
INSTANT(Errhandler_free, (MPI_Errhandler * handler)) {
  *handler = MPI_ERRHANDLER_NULL;
  return done();
}

/* Communicators are numbers of this table. World has number 0, and MPI_COMM_SELF has number 1. */

enum { most_comms = 4096, most_attributes = 8 };

static struct {
  int size;
  void* attributes[most_attributes];
} comms[most_comms];
static int comm_count = 2;
static int attribute_count = 0;

static int number_of(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return 0;
  return comm == MPI_COMM_SELF ? 1 : (int)(intptr_t)comm;
}
static int size_of(MPI_Comm comm) {
  const int number = number_of(comm);
  return number == 0 ? world_size : number == 1 ? 1 : comms[number].size;
}
static MPI_Comm new_comm(int size) {
  if (comm_count == most_comms) give_up("too many communicators");
  comms[comm_count].size = size;
  return (MPI_Comm)(intptr_t)comm_count++;
}

INSTANT(Comm_size, (MPI_Comm comm, int* size)) {
  *size = size_of(comm);
  return done();
}
INSTANT(Comm_rank, (UNUSED MPI_Comm comm, int* rank)) {
  *rank = 0;
  return done();
}
INSTANT(Topo_test, (UNUSED MPI_Comm comm, int* status)) {
  *status = MPI_UNDEFINED;
  return done();
}
INSTANT(Comm_test_inter, (UNUSED MPI_Comm comm, int* flag)) {
  *flag = 0;
  return done();
}
INSTANT(Comm_compare, (MPI_Comm one, MPI_Comm other, int* result)) {
  *result = number_of(one) == number_of(other) ? MPI_IDENT
            : size_of(one) == size_of(other)   ? MPI_CONGRUENT
                                               : MPI_UNEQUAL;
  return done();
}
INSTANT(Comm_split, (MPI_Comm comm, int color, UNUSED int key, MPI_Comm* part)) {
  *part = color == MPI_UNDEFINED ? MPI_COMM_NULL : new_comm(size_of(comm));
  return done();
}
INSTANT(Comm_split_type,
        (UNUSED MPI_Comm comm, UNUSED int type, UNUSED int key, UNUSED MPI_Info info, MPI_Comm* part)) {
  *part = new_comm(1);
  return done();
}
INSTANT(Cart_create, (UNUSED MPI_Comm comm, int axes, const int* extents, UNUSED const int* are_rings,
                      UNUSED int reorder, MPI_Comm* cart)) {
  int size = 1;
  for (int axis = 0; axis < axes; ++axis) size *= extents[axis];
  *cart = new_comm(size);
  return done();
}
/* Every communicator begins with the processes of MPI_COMM_WORLD. */
INSTANT(Comm_group, (UNUSED MPI_Comm comm, MPI_Group* group)) {
  *group = (MPI_Group)(intptr_t)1;
  return done();
}
INSTANT(Group_translate_ranks,
        (UNUSED MPI_Group from, int count, const int ranks[], UNUSED MPI_Group to, int translated[])) {
  memcpy(translated, ranks, (size_t)count * sizeof *ranks);
  return done();
}
INSTANT(Group_free, (MPI_Group * group)) {
  *group = MPI_GROUP_NULL;
  return done();
}
INSTANT(Comm_free, (MPI_Comm * comm)) {
  *comm = MPI_COMM_NULL;
  return done();
}
INSTANT(Comm_create_keyval, (UNUSED MPI_Comm_copy_attr_function * copy,
                             UNUSED MPI_Comm_delete_attr_function* delete, int* key, UNUSED void* extra)) {
  if (attribute_count == most_attributes) give_up("too many attributes");
  *key = attribute_count++;
  return done();
}
INSTANT(Comm_set_attr, (MPI_Comm comm, int key, void* value)) {
  comms[number_of(comm)].attributes[key] = value;
  return done();
}
INSTANT(Comm_get_attr, (MPI_Comm comm, int key, void* value, int* is_set)) {
  void* const attribute = comms[number_of(comm)].attributes[key];
  memcpy(value, &attribute, sizeof attribute);
  *is_set = attribute != NULL;
  return done();
}

/* Types. The handle of a type that is built is its extent, its size and whether it has gaps. */

static const struct {
  MPI_Datatype type;
  int size;
} basic_types[] = {{MPI_BYTE, 1},     {MPI_CHAR, 1},    {MPI_INT, sizeof(int)}, {MPI_DOUBLE, sizeof(double)},
                   {MPI_UINT32_T, 4}, {MPI_INT32_T, 4}, {MPI_UINT64_T, 8},      {MPI_INT64_T, 8}};

/* Returns the size of a type that is not built, or 0. */
static int basic_size(MPI_Datatype type) {
  for (size_t i = 0; i < sizeof basic_types / sizeof *basic_types; ++i)
    if (basic_types[i].type == type) return basic_types[i].size;
  return 0;
}
static int64_t type_size(MPI_Datatype type) {
  const int size = basic_size(type);
  return size != 0 ? size : (intptr_t)type & INT32_MAX;
}
static int64_t type_extent(MPI_Datatype type) {
  const int size = basic_size(type);
  return size != 0 ? size : (intptr_t)type >> 32;
}
static int built(int64_t extent, int64_t size, MPI_Datatype* type) {
  if (extent > INT32_MAX || size > INT32_MAX) give_up("a type is too large");
  *type = (MPI_Datatype)(intptr_t)(extent << 32 | size);
  return done();
}

INSTANT(Type_contiguous, (int count, MPI_Datatype inner, MPI_Datatype* type)) {
  return built(count * type_extent(inner), count * type_size(inner), type);
}
INSTANT(Type_vector, (int count, int length, int stride, MPI_Datatype inner, MPI_Datatype* type)) {
  return built(((int64_t)(count - 1) * stride + length) * type_extent(inner),
               (int64_t)count * length * type_size(inner), type);
}
INSTANT(Type_commit, (UNUSED MPI_Datatype * type)) {
  return done();
}
INSTANT(Type_free, (MPI_Datatype * type)) {
  *type = MPI_DATATYPE_NULL;
  return done();
}
INSTANT(Type_size_x, (MPI_Datatype type, MPI_Count* size)) {
  *size = type_size(type);
  return done();
}
INSTANT(Type_get_extent, (MPI_Datatype type, MPI_Aint* begin, MPI_Aint* extent)) {
  *begin = 0;
  *extent = type_extent(type);
  return done();
}
/* Bytes begin at the address of a type, and none is behind its extent. */
INSTANT(Type_get_true_extent, (MPI_Datatype type, MPI_Aint* begin, MPI_Aint* extent)) {
  *begin = 0;
  *extent = type_extent(type);
  return done();
}
/* A type that is built without gaps is one of contiguous bytes. */
INSTANT(Type_get_envelope, (MPI_Datatype type, int* integers, int* addresses, int* types, int* combiner)) {
  const int is_basic = basic_size(type) != 0;
  *integers = *types = is_basic ? 0 : 1;
  *addresses = 0;
  *combiner = is_basic                               ? MPI_COMBINER_NAMED
              : type_size(type) == type_extent(type) ? MPI_COMBINER_CONTIGUOUS
                                                     : MPI_COMBINER_VECTOR;
  return done();
}
INSTANT(Type_get_contents,
        (MPI_Datatype type, UNUSED int most_integers, UNUSED int most_addresses, UNUSED int most_types,
         int integers[], UNUSED MPI_Aint addresses[], MPI_Datatype types[])) {
  integers[0] = (int)type_size(type);
  types[0] = MPI_BYTE;
  return done();
}
INSTANT(Pack, (UNUSED const void* data, int count, MPI_Datatype type, UNUSED void* packed,
               UNUSED int packed_bytes, int* position, UNUSED MPI_Comm comm)) {
  *position += (int)(count * type_size(type));
  return done();
}
INSTANT(Unpack, (UNUSED const void* packed, UNUSED int packed_bytes, int* position, UNUSED void* data,
                 int count, MPI_Datatype type, UNUSED MPI_Comm comm)) {
  *position += (int)(count * type_size(type));
  return done();
}

/* Messages. A request holds its bytes, and a number that makes it differ from MPI_REQUEST_NULL. A status holds the
 * bytes in place of the tag. */

static void begin(int64_t bytes, MPI_Request* request) {
  *request = (MPI_Request)(intptr_t)(bytes << 1 | 1);
}
static void end(MPI_Request* request, MPI_Status* status) {
  if (status != MPI_STATUS_IGNORE) {
    status->MPI_SOURCE = 0;
    status->MPI_TAG = *request == MPI_REQUEST_NULL ? 0 : (int)((intptr_t)*request >> 1);
  }
  *request = MPI_REQUEST_NULL;
}

INSTANT(Get_count, (const MPI_Status* status, MPI_Datatype type, int* count)) {
  *count = status->MPI_TAG / (int)type_size(type);
  return done();
}
INSTANT(Send, (UNUSED const void* data, UNUSED int count, UNUSED MPI_Datatype type, UNUSED int peer,
               UNUSED int tag, UNUSED MPI_Comm comm)) {
  return done();
}
INSTANT(Isend, (UNUSED const void* data, int count, MPI_Datatype type, UNUSED int peer, UNUSED int tag,
                UNUSED MPI_Comm comm, MPI_Request* request)) {
  begin(count * type_size(type), request);
  return done();
}
INSTANT(Irecv, (UNUSED void* data, int count, MPI_Datatype type, UNUSED int peer, UNUSED int tag,
                UNUSED MPI_Comm comm, MPI_Request* request)) {
  begin(count * type_size(type), request);
  return done();
}
INSTANT(Sendrecv, (UNUSED const void* sent, UNUSED int sent_count, UNUSED MPI_Datatype sent_type,
                   UNUSED int to, UNUSED int sent_tag, UNUSED void* data, int count, MPI_Datatype type,
                   UNUSED int from, UNUSED int tag, UNUSED MPI_Comm comm, MPI_Status* status)) {
  MPI_Request request;
  begin(count * type_size(type), &request);
  end(&request, status);
  return done();
}
INSTANT(Iprobe,
        (UNUSED int peer, UNUSED int tag, UNUSED MPI_Comm comm, int* flag, UNUSED MPI_Status* status)) {
  *flag = 0;
  return done();
}
INSTANT(Wait, (MPI_Request * request, MPI_Status* status)) {
  end(request, status);
  return done();
}
INSTANT(Test, (MPI_Request * request, int* flag, MPI_Status* status)) {
  end(request, status);
  *flag = 1;
  return done();
}
INSTANT(Testsome, (int count, MPI_Request requests[], int* over_count, int over[], MPI_Status statuses[])) {
  *over_count = MPI_UNDEFINED;
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL) continue;
    if (*over_count == MPI_UNDEFINED) *over_count = 0;
    end(&requests[i], statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[*over_count]);
    over[(*over_count)++] = i;
  }
  return done();
}
INSTANT(Waitall, (int count, MPI_Request requests[], MPI_Status statuses[])) {
  for (int i = 0; i < count; ++i)
    end(&requests[i], statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i]);
  return done();
}

/* Collective functions. Where all pass the same values, the sum is a multiple, and the least and the largest are those
 * of this process. */

static void copy(const void* from, void* to, int count, MPI_Datatype type) {
  if (from != MPI_IN_PLACE) memcpy(to, from, (size_t)(count * type_size(type)));
}
static void reduce(const void* sent, void* data, int count, MPI_Datatype type, MPI_Op op, int size) {
  copy(sent, data, count, type);
  if (op != MPI_SUM) return;
  if (type != MPI_INT) give_up("a sum is of other numbers than int");
  for (int i = 0; i < count; ++i) ((int*)data)[i] *= size;
}

INSTANT(Barrier, (UNUSED MPI_Comm comm)) {
  return done();
}
INSTANT(Ibarrier, (UNUSED MPI_Comm comm, MPI_Request* request)) {
  begin(0, request);
  return done();
}
INSTANT(Bcast, (UNUSED void* data, UNUSED int count, UNUSED MPI_Datatype type, UNUSED int root,
                UNUSED MPI_Comm comm)) {
  return done();
}
INSTANT(Allreduce, (const void* sent, void* data, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)) {
  reduce(sent, data, count, type, op, size_of(comm));
  return done();
}
INSTANT(Iallreduce, (const void* sent, void* data, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                     MPI_Request* request)) {
  reduce(sent, data, count, type, op, size_of(comm));
  begin(0, request);
  return done();
}
INSTANT(Exscan, (UNUSED const void* sent, UNUSED void* data, UNUSED int count, UNUSED MPI_Datatype type,
                 UNUSED MPI_Op op, UNUSED MPI_Comm comm)) {
  return done(); /* it leaves the data of process 0 as they are */
}
/* One number of each process is its node or its host, of which each has another one. */
INSTANT(Allgather, (const void* sent, int sent_count, MPI_Datatype sent_type, void* data, int count,
                    MPI_Datatype type, MPI_Comm comm)) {
  for (int i = 0; i < size_of(comm); ++i) {
    copy(sent, (char*)data + i * count * type_size(type), sent_count, sent_type);
    if (count == 1 && type == MPI_UINT32_T) ((uint32_t*)data)[i] += (uint32_t)i;
  }
  return done();
}
INSTANT(Alltoall, (UNUSED const void* sent, UNUSED int sent_count, UNUSED MPI_Datatype sent_type,
                   UNUSED void* data, UNUSED int count, UNUSED MPI_Datatype type, UNUSED MPI_Comm comm)) {
  return done();
}
INSTANT(Alltoallv, (UNUSED const void* sent, UNUSED const int sent_counts[], UNUSED const int sent_places[],
                    UNUSED MPI_Datatype sent_type, UNUSED void* data, UNUSED const int counts[],
                    UNUSED const int places[], UNUSED MPI_Datatype type, UNUSED MPI_Comm comm)) {
  return done();
}
INSTANT(Ialltoall,
        (UNUSED const void* sent, UNUSED int sent_count, UNUSED MPI_Datatype sent_type, UNUSED void* data,
         UNUSED int count, UNUSED MPI_Datatype type, UNUSED MPI_Comm comm, MPI_Request* request)) {
  begin(0, request);
  return done();
}
INSTANT(Ialltoallv,
        (UNUSED const void* sent, UNUSED const int sent_counts[], UNUSED const int sent_places[],
         UNUSED MPI_Datatype sent_type, UNUSED void* data, UNUSED const int counts[],
         UNUSED const int places[], UNUSED MPI_Datatype type, UNUSED MPI_Comm comm, MPI_Request* request)) {
  begin(0, request);
  return done();
}
